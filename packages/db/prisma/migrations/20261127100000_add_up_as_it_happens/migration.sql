-- The overview is added up as orders and grants are written, by a job that goes on where it was: what a month or all
-- subscriptions amount to no longer costs more with each order of the past. New tables alone; they fill by themselves.
CREATE TYPE "order_fact" AS ENUM ('created', 'paid', 'refunded');

CREATE TABLE "order_block_sums" (
    "block" BIGINT NOT NULL,
    "fact" "order_fact" NOT NULL,
    "day" DATE NOT NULL,
    "channel" "payment_channel" NOT NULL,
    "key" TEXT NOT NULL,
    "orders" INTEGER NOT NULL,
    "prepay" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "fen" BIGINT NOT NULL,

    CONSTRAINT "order_block_sums_pkey" PRIMARY KEY ("block","fact","day","channel","key")
);

CREATE TABLE "order_day_sums" (
    "fact" "order_fact" NOT NULL,
    "day" DATE NOT NULL,
    "channel" "payment_channel" NOT NULL,
    "key" TEXT NOT NULL,
    "orders" BIGINT NOT NULL,
    "prepay" BIGINT NOT NULL,
    "paid" BIGINT NOT NULL,
    "fen" BIGINT NOT NULL,

    CONSTRAINT "order_day_sums_pkey" PRIMARY KEY ("fact","day","channel","key")
);

CREATE TABLE "subscription_hour_sums" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "begun" BIGINT NOT NULL,
    "ends" BIGINT NOT NULL,

    CONSTRAINT "subscription_hour_sums_pkey" PRIMARY KEY ("hour")
);

CREATE TABLE "watermarks" (
    "name" TEXT NOT NULL,
    "line_id" BIGINT NOT NULL DEFAULT 0,
    "next" BIGINT NOT NULL DEFAULT 0,
    "after" UUID,

    CONSTRAINT "watermarks_pkey" PRIMARY KEY ("name")
);
