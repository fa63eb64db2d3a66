-- outside a transaction

-- Who reads a day of a view reads the blocks of that day alone. Rows lie about as they were made, so a summary per range of
-- blocks is enough: a few kilobytes, and nothing to write for a payment but now and then a wider range.
CREATE INDEX CONCURRENTLY "orders_by_day" ON "orders" USING brin (
  (("created_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops,
  (("paid_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
CREATE INDEX CONCURRENTLY "refunds_by_day" ON "refunds" USING brin (
  (("created_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops,
  (("succeeded_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
CREATE INDEX CONCURRENTLY "grants_by_day" ON "grants" USING brin (
  (("created_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
CREATE INDEX CONCURRENTLY "users_by_day" ON "users" USING brin (
  (("created_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
CREATE INDEX CONCURRENTLY "bindings_by_day" ON "bindings" USING brin (
  (("bound_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
CREATE INDEX CONCURRENTLY "order_attempts_by_day" ON "order_attempts" USING brin (
  (("settled_at" AT TIME ZONE 'Asia/Shanghai')::date) date_minmax_multi_ops) WITH (autosummarize = on);
