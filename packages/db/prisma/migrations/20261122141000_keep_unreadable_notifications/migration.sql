-- Verified, but not to be processed: the bytes are kept all the same.
ALTER TYPE "notification_outcome" ADD VALUE 'unreadable';
