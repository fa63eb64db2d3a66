-- A notification that is applied at once has its first outcome in its own row: the history begins with the second, so
-- that a payment writes one row less.

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "first_outcome" "notification_outcome";
