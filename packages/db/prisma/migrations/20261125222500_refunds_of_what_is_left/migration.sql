-- Virtual payment: a refund is repeated with the very parameters it was sent with, what was left of the order among them.
-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "sent_left_fen" INTEGER;
