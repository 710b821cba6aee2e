"""The paper's comparisons: every arm from the same interpretation, run first, scored afterwards.

``formats`` has the files, ``frozen`` the shared interpretation, ``arms`` what each arm selects,
``running`` the run; ``scoring``, ``report`` and ``datasets`` are pure and know no store.
"""
