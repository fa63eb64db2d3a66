-- A fund-flow bill may say in the business type what it does not say in the business name.
ALTER TABLE "bill_flows" ADD COLUMN     "business_type" TEXT;
