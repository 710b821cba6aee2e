-- Writes an assertion; where it ends is not resolved yet.
-- Parameters: :history, :position, :ordinal, :subject, :relation, :object, :member, :retracts,
--   :subject_text, :object_text, :literal, :frontend
-- Returns: nothing
INSERT INTO assertion (
    history, position, ordinal, subject, relation, object, member, retracts,
    subject_text, object_text, literal, frontend
)
VALUES (
    :history, :position, :ordinal, :subject, :relation, :object, :member, :retracts,
    :subject_text, :object_text, :literal, :frontend
)
