-- The evidence of a notification is 2.3 KB of signature and cipher text, which no compression makes smaller: it stays in
-- its row, instead of being compressed in vain and then kept in pieces elsewhere.
ALTER TABLE "notifications" SET (toast_tuple_target = 4080);
