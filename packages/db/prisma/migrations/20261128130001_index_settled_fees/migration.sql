-- outside a transaction

-- What virtual payment kept, by the day on which the platform settled it: a month of finance reads this index alone.
CREATE INDEX CONCURRENTLY "order_attempts_by_settlement" ON "order_attempts" ("settled_at") INCLUDE ("fee_fen") WHERE "fee_fen" IS NOT NULL;
