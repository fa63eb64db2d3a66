-- A purchase asks in its own statement which of the user's other orders are still unpaid; few orders ever are at once.
CREATE INDEX "orders_unpaid_of_user" ON "orders" ("user_id", "id") WHERE "status" IN ('created', 'prepay');
