-- outside a transaction

-- Nearly every payment is learned of by its notification. The few that were found otherwise are listed by the way they were
-- found, and the others have no entry here.
CREATE INDEX CONCURRENTLY "orders_found_otherwise" ON "orders" ("confirmed_by", "created_at", "id") WHERE "confirmed_by" <> 'notification';
