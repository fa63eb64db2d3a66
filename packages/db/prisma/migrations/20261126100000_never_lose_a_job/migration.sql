-- Puts a job into the queue, and answers its number. add_job of graphile-worker adds nothing and answers null where a
-- worker takes the waiting job of that key at this very moment: that worker may have read how things stood before the
-- change that this job is about, so that nobody would act on it. Once it is taken its key is free, and the job is added.
CREATE FUNCTION "enqueue_job"("job" text, "payload" json, "run_at" timestamptz, "job_key" text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  added bigint;
BEGIN
  FOR tries IN 1..5 LOOP
    added := (graphile_worker.add_job(job, payload, run_at => enqueue_job.run_at, job_key => enqueue_job.job_key)).id;
    IF added IS NOT NULL THEN
      RETURN added;
    END IF;
  END LOOP;
  RAISE EXCEPTION 'job % was taken each time it was to be put into the queue', job_key USING ERRCODE = 'lock_not_available';
END $$;
