-- outside a transaction

-- The end of the platform's own number of a refund, as a payer reads it off their phone.
CREATE INDEX CONCURRENTLY "refunds_by_platform_end" ON "refunds" (reverse("platform_refund_id") text_pattern_ops)
  WHERE "platform_refund_id" IS NOT NULL;
