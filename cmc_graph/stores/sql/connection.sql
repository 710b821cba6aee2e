-- What every connection needs: settings, and the tables of one transaction's work. They are empty
-- between transactions. Parameters: none. Returns: nothing.

PRAGMA foreign_keys = ON;

-- A commit is on disk when it returns, so that not even a power cut takes it back.
PRAGMA synchronous = FULL;

-- What was forgotten is overwritten in the file.
PRAGMA secure_delete = ON;

PRAGMA temp_store = MEMORY;

PRAGMA cache_size = -32000;

-- The log is copied into the file every 32 MB instead of every 4: in a long history each batch
-- changes pages all over the file, and what several batches change is then copied once.
PRAGMA wal_autocheckpoint = 8000;

-- The first mention of each key in a batch.
CREATE TEMP TABLE mentioned (
    key      TEXT    NOT NULL,
    surface  TEXT    NOT NULL,
    position INTEGER NOT NULL
) STRICT;

-- The slots to resolve, each from which (position, ordinal) on; (-1, -1): the whole slot.
CREATE TEMP TABLE touched (
    subject  INTEGER NOT NULL,
    relation INTEGER NOT NULL,
    member   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    ordinal  INTEGER NOT NULL,
    PRIMARY KEY (subject, relation, member)
) STRICT, WITHOUT ROWID;

-- The resolved versions of the touched slots; the last word has no superseded_at.
CREATE TEMP TABLE resolved (
    subject       INTEGER NOT NULL,
    relation      INTEGER NOT NULL,
    member        INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    ordinal       INTEGER NOT NULL,
    superseded_at INTEGER
) STRICT;
