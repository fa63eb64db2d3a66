WITH resolved AS (
  UPDATE alerts SET resolved_at = business_now(), resolved_by = $1::uuid, resolution = $2,
  owner_id = coalesce(owner_id, $3::uuid)
  WHERE id = $4::bigint AND resolved_at IS NULL RETURNING id
),
audited AS (
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT $5::uuid, $6, $7, $8, $9::jsonb,
  $10::jsonb, $11, $12
  FROM resolved
)
SELECT id FROM resolved
