INSERT INTO alerts (kind, subject, detail) VALUES ($1, $2, $3::jsonb)
ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
DO UPDATE SET times = alerts.times + 1, last_at = business_now()
RETURNING xmax = 0 AS opened
