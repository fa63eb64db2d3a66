-- The one clock of everything that is dated, expires or falls due, in place of now(). PostgreSQL inlines the call, so that
-- plans, estimates and costs are those of now() itself. Tests and the sandbox move time by replacing the body (as the
-- owner; the role that programs run as cannot), and a server of the official platform refuses to start where it differs.
CREATE FUNCTION "business_now"() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT now()';

-- AlterTable
ALTER TABLE "users" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "token_families" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "refresh_tokens" ALTER COLUMN "issued_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "plans" ALTER COLUMN "created_at" SET DEFAULT business_now(),
ALTER COLUMN "updated_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "plan_price_changes" ALTER COLUMN "changed_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "settings" ALTER COLUMN "updated_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "setting_changes" ALTER COLUMN "changed_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "orders" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "order_events" ALTER COLUMN "at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "grants" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "refunds" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "notifications" ALTER COLUMN "first_at" SET DEFAULT business_now(),
ALTER COLUMN "last_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "rejected_deliveries" ALTER COLUMN "at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "external_refunds" ALTER COLUMN "first_at" SET DEFAULT business_now(),
ALTER COLUMN "last_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "worker_heartbeats" ALTER COLUMN "seen_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "alerts" ALTER COLUMN "opened_at" SET DEFAULT business_now(),
ALTER COLUMN "last_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "alert_lease" ALTER COLUMN "taken_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "alert_channels" ALTER COLUMN "since" SET DEFAULT business_now(),
ALTER COLUMN "next_attempt_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "alert_messages" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "devices" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "bindings" ALTER COLUMN "bound_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "bind_challenges" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "reports" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "diagnosis_versions" ALTER COLUMN "created_at" SET DEFAULT business_now(),
ALTER COLUMN "updated_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "message_permissions" ALTER COLUMN "updated_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "message_attempts" ALTER COLUMN "at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "reminders" ALTER COLUMN "claimed_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "grant_requests" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "operators" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "sign_in_failures" ALTER COLUMN "at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "operator_changes" ALTER COLUMN "changed_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "approval_requests" ALTER COLUMN "requested_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "operator_sessions" ALTER COLUMN "created_at" SET DEFAULT business_now(),
ALTER COLUMN "last_seen_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "recovery_codes" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "saved_views" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "audit_entries" ALTER COLUMN "at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "sealed_keys" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "bills" ALTER COLUMN "fetched_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "reconciliation_differences" ALTER COLUMN "found_at" SET DEFAULT business_now(),
ALTER COLUMN "seen_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "shipping_uploads" ALTER COLUMN "created_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "platform_certificates" ALTER COLUMN "downloaded_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "key_refreshes" ALTER COLUMN "asked_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "database_timelines" ALTER COLUMN "first_seen_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "merchant_certificates" ALTER COLUMN "entered_at" SET DEFAULT business_now();

-- AlterTable
ALTER TABLE "condition_checks" ALTER COLUMN "checked_at" SET DEFAULT business_now();
