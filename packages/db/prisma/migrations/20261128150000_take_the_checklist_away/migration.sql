-- CreateTable
CREATE TABLE "checklist_dismissals" (
    "operator_id" UUID NOT NULL,
    "everybody" BOOLEAN NOT NULL DEFAULT false,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT business_now(),

    CONSTRAINT "checklist_dismissals_pkey" PRIMARY KEY ("operator_id")
);

-- AddForeignKey
ALTER TABLE "checklist_dismissals" ADD CONSTRAINT "checklist_dismissals_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
