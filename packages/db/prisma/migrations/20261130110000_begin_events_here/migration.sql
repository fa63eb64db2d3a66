-- Other systems are told what happens from now on (docs/webhooks.md), not the history from before there were events: where no
-- collection has begun yet it begins behind the last line. In an empty database it begins at the first line by itself.
INSERT INTO "watermarks" ("name", "line_id")
  SELECT 'told_orders', max("id") FROM "order_events" HAVING max("id") IS NOT NULL ON CONFLICT ("name") DO NOTHING;
INSERT INTO "watermarks" ("name", "line_id")
  SELECT 'told_subscriptions', max("id") FROM "grants" HAVING max("id") IS NOT NULL ON CONFLICT ("name") DO NOTHING;
INSERT INTO "watermarks" ("name", "line_id")
  SELECT 'told_others', max("id") FROM "outbox_lines" HAVING max("id") IS NOT NULL ON CONFLICT ("name") DO NOTHING;
