-- What the search from anywhere looks up: an id by its beginning, or by its end, as lists show it. `text_pattern_ops`
-- serves LIKE under every collation; an end is the beginning of the reversed id.
CREATE INDEX "orders_by_number_part" ON "orders" ("out_trade_no" text_pattern_ops);
CREATE INDEX "orders_by_number_end" ON "orders" (reverse("out_trade_no") text_pattern_ops);
CREATE INDEX "orders_by_transaction_end" ON "orders" (reverse("transaction_id") text_pattern_ops)
  WHERE "transaction_id" IS NOT NULL;
CREATE INDEX "refunds_by_number_part" ON "refunds" ("out_refund_no" text_pattern_ops);
CREATE INDEX "refunds_by_number_end" ON "refunds" (reverse("out_refund_no") text_pattern_ops);
CREATE INDEX "devices_by_serial_part" ON "devices" ("serial_number" text_pattern_ops);
CREATE INDEX "devices_by_serial_end" ON "devices" (reverse("serial_number") text_pattern_ops);
CREATE INDEX "users_by_id_end" ON "users" (reverse("id"::text) text_pattern_ops);

-- Every two neighbouring characters of a text, once each: a text holds another only if it holds all of its pairs. Chinese
-- names have two or three characters, which the trigrams of pg_trgm cannot find, and this needs no extension.
CREATE FUNCTION "character_pairs"("value" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT pg_catalog.substr(pg_catalog.lower($1), n, 2)), '{}')
  FROM pg_catalog.generate_series(1, pg_catalog.length($1) - 1) n
$$;
CREATE INDEX "users_by_nickname_pairs" ON "users" USING gin (character_pairs("nickname")) WHERE "nickname" IS NOT NULL;

-- The planner knows the values of an expression only once they are counted.
ANALYZE "orders";
ANALYZE "refunds";
ANALYZE "devices";
ANALYZE "users";
