-- Days that another system of the company gives. A value counts once its transaction is over, so what names it comes later.
ALTER TYPE "grant_kind" ADD VALUE 'integration_grant';
