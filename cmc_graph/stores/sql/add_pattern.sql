-- Keeps a pattern with a history.
-- Parameters: :history, :number (its place), :template, :relation, :support, :answers
-- Returns: nothing
INSERT INTO pattern (history, number, template, relation, support, answers)
VALUES (:history, :number, :template, :relation, :support, :answers)
