-- The row of a settled interaction moves into `meta`, as `settled/<tool call id>~<step>` with the step in six digits: a table
-- is a page of disk in every session, also in one where nothing settles.
INSERT INTO meta (key, value)
  SELECT 'settled/' || tool_call_id || '~' || printf('%06d', step),
         -- Merging drops what is null.
         json_patch('{}', json_object(
           'places', json(places),
           'before', before_call || '~' || printf('%06d', before_step),
           'deliveredAt', delivered_at,
           'shownAt', shown_at,
           'acknowledgedAt', acknowledged_at
         ))
  FROM interaction;

DROP TABLE interaction;
