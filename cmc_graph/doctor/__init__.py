"""What is wrong with a store and a history, and what is proven how to mend.

``commands``, ``problems`` and ``server`` are pure, ``examination`` looks at a store.
"""

from cmc_graph.doctor.examination import Access, examine
from cmc_graph.doctor.problems import Diagnosis, Problem

__all__ = ["Access", "Diagnosis", "Problem", "examine"]
