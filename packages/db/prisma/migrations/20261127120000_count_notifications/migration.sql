-- Nearly all notifications of an hour end in one outcome. How many came does not change any more when the hour is over, and
-- the few of other outcomes are counted by their index: so a month of the overview is read without its notifications.
CREATE TABLE "notification_hour_sums" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "notifications" BIGINT NOT NULL,

    CONSTRAINT "notification_hour_sums_pkey" PRIMARY KEY ("hour")
);
