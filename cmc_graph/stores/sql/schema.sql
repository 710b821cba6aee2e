-- The tables of a store, read as a whole: the one file with several statements, run in one
-- transaction when a file is new. Parameters: none. Returns: nothing.
-- Histories, entities, relations, sources and frontends are numbered, and the numbers stand for them
-- elsewhere.

CREATE TABLE history (
    id            INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    version       INTEGER NOT NULL DEFAULT 0,
    records       INTEGER NOT NULL DEFAULT 0,
    next_position INTEGER NOT NULL DEFAULT 0,
    longest_key   INTEGER NOT NULL DEFAULT 0  -- in tokens
) STRICT;

CREATE TABLE source (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE frontend (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE record (
    history     INTEGER NOT NULL REFERENCES history,
    position    INTEGER NOT NULL,
    text        TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('facts', 'unresolved', 'no_fact')),
    reason      TEXT,
    source      INTEGER REFERENCES source,
    source_line INTEGER,
    observed_at TEXT,
    speaker     TEXT,
    session     TEXT,
    PRIMARY KEY (history, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_line ON record (source, source_line, history) WHERE source IS NOT NULL;

CREATE INDEX record_unresolved ON record (history, position) WHERE status = 'unresolved';

CREATE TABLE entity (
    id            INTEGER PRIMARY KEY,
    history       INTEGER NOT NULL REFERENCES history,
    key           TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    name_position INTEGER NOT NULL,
    UNIQUE (history, key)
) STRICT;

CREATE TABLE relation (
    id          INTEGER PRIMARY KEY,
    history     INTEGER NOT NULL REFERENCES history,
    name        TEXT    NOT NULL,
    "values"    TEXT    NOT NULL CHECK ("values" IN ('one', 'many')),
    set_by      TEXT    NOT NULL CHECK (set_by IN ('pack', 'person', 'frontend')),
    merged_into INTEGER REFERENCES relation,  -- the one that counts instead
    UNIQUE (history, name)
) STRICT;

CREATE INDEX relation_merged ON relation (history) WHERE merged_into IS NOT NULL;

-- Sentence patterns found in what a model read.
CREATE TABLE pattern (
    history  INTEGER NOT NULL REFERENCES history,
    number   INTEGER NOT NULL,
    template TEXT    NOT NULL,
    relation TEXT    NOT NULL,
    support  INTEGER NOT NULL,
    answers  INTEGER NOT NULL,
    PRIMARY KEY (history, number)
) STRICT, WITHOUT ROWID;

-- The ledger. member: the object in a many-valued relation, else 0.
CREATE TABLE assertion (
    history       INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    ordinal       INTEGER NOT NULL,
    subject       INTEGER NOT NULL REFERENCES entity,
    relation      INTEGER NOT NULL REFERENCES relation,
    object        INTEGER NOT NULL REFERENCES entity,
    member        INTEGER NOT NULL,
    retracts      INTEGER NOT NULL CHECK (retracts IN (0, 1)),
    superseded_at INTEGER,
    subject_text  TEXT    NOT NULL,
    object_text   TEXT    NOT NULL,
    literal       INTEGER NOT NULL CHECK (literal IN (0, 1)),
    frontend      INTEGER NOT NULL REFERENCES frontend,
    PRIMARY KEY (history, position, ordinal),
    FOREIGN KEY (history, position) REFERENCES record
) STRICT, WITHOUT ROWID;

-- The versions of a slot from a position on.
CREATE INDEX assertion_slot ON assertion (subject, relation, member, position, ordinal);

-- The slots with a retraction, which are few.
CREATE INDEX assertion_retraction ON assertion (subject, relation, member) WHERE retracts;

CREATE INDEX assertion_object ON assertion (object);

-- The projection: which assertion is a slot's last word. Whether the slot is current or ended, and
-- with which object, is said there.
CREATE TABLE slot (
    subject  INTEGER NOT NULL REFERENCES entity,
    relation INTEGER NOT NULL REFERENCES relation,
    member   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    ordinal  INTEGER NOT NULL,
    PRIMARY KEY (subject, relation, member)
) STRICT, WITHOUT ROWID;

-- Records with their source as text.
CREATE VIEW stored_record AS
SELECT
    record.history, record.position, record.text, record.status, record.reason,
    source.name AS source, record.source_line, record.observed_at, record.speaker, record.session
FROM record
LEFT JOIN source ON source.id = record.source;

-- Assertions with texts beside the numbers.
CREATE VIEW ledger AS
SELECT
    assertion.history, assertion.subject AS subject_id, assertion.relation AS relation_id,
    assertion.position, assertion.ordinal,
    subject.key AS subject, relation.name AS relation, object.key AS object,
    iif(assertion.member = 0, '', object.key) AS member,
    assertion.retracts, assertion.superseded_at,
    assertion.subject_text, assertion.object_text, assertion.literal, frontend.name AS frontend
FROM assertion
JOIN entity AS subject ON subject.id = assertion.subject
JOIN relation ON relation.id = assertion.relation
JOIN entity AS object ON object.id = assertion.object
JOIN frontend ON frontend.id = assertion.frontend;

-- The counters a history ought to have. As bytes, a key is measured past a NUL character, too.
CREATE VIEW counting AS
SELECT
    history.id,
    (SELECT count(*) FROM record WHERE record.history = history.id) AS records,
    (
        SELECT coalesce(max(position), -1) + 1 FROM record WHERE record.history = history.id
    ) AS next_position,
    (
        SELECT coalesce(max(
            length(CAST(key AS BLOB)) - length(CAST(replace(key, ' ', '') AS BLOB)) + 1
        ), 0)
        FROM entity WHERE entity.history = history.id
    ) AS longest_key
FROM history;
