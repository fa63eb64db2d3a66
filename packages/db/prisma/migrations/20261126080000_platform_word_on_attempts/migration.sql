-- What the platform last said of an attempt: virtual payment has no bill that can be read, and this stands for its rows.
-- AlterTable
ALTER TABLE "order_attempts" ADD COLUMN     "platform_state" TEXT,
ADD COLUMN     "platform_fen" INTEGER,
ADD COLUMN     "platform_left_fen" INTEGER;

-- What Prisma cannot say, written by hand ------------------------------------------------------------------

ALTER TABLE "order_attempts"
  ADD CONSTRAINT "order_attempts_platform_word" CHECK (
    ("platform_state" IS NULL) <= ("platform_fen" IS NULL)
    AND "platform_state" IN ('unpaid', 'closed', 'paid', 'delivered', 'refunding', 'refunded', 'unknown', 'no_such_order'));
