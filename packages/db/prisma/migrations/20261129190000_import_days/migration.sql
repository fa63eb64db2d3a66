-- Days that people had in another system. A value counts once its transaction is over, so what names it comes later.
ALTER TYPE "grant_kind" ADD VALUE 'imported';
