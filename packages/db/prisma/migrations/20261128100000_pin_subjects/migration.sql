-- What an operator keeps at hand in the search: orders, refunds, users and devices, by what their pages are addressed with.
CREATE TABLE "pins" (
    "operator_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "pinned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "pins_pkey" PRIMARY KEY ("operator_id", "kind", "subject_id")
);

ALTER TABLE "pins" ADD CONSTRAINT "pins_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id")
  ON DELETE RESTRICT ON UPDATE CASCADE;
