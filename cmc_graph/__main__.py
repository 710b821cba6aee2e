"""``python -m cmc_graph``: the command line."""

import sys

from cmc_graph.cli import main

sys.exit(main())
