-- Writes a record.
-- Parameters: :history, :position, :text, :status, :reason, :source, :source_line, :observed_at,
--   :speaker, :session
-- Returns: nothing
INSERT INTO record (
    history, position, text, status, reason, source, source_line, observed_at, speaker, session
)
VALUES (
    :history, :position, :text, :status, :reason, :source, :source_line, :observed_at, :speaker,
    :session
)
