-- What a channel was told of anything but an alert, once for the thing and once for its end.
CREATE TABLE "news_deliveries" (
    "channel_id" TEXT NOT NULL,
    "news" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3),
    "over_told_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "news_deliveries_pkey" PRIMARY KEY ("channel_id","news"),
    CONSTRAINT "news_deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "news_deliveries_not_over" ON "news_deliveries" ("channel_id", "news") WHERE "over_told_at" IS NULL;
