-- Why a sign-in by the company's identity, or by a password where those are off, was refused. A value counts once its
-- transaction is over.
ALTER TYPE "sign_in_failure_reason" ADD VALUE 'passwords_off';
ALTER TYPE "sign_in_failure_reason" ADD VALUE 'identity_refused';
ALTER TYPE "sign_in_failure_reason" ADD VALUE 'identity_not_admitted';
