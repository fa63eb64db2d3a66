-- How frequent each pair of characters is among nicknames. The planner takes no statistics from an index of a part of a
-- table, such as users_by_nickname_pairs, and held every nickname for as rare as one of 200: a page of those who are all
-- called 微信用户, as the platform names them, was read by putting all of them into an order.
CREATE STATISTICS "users_nickname_pairs" ON (character_pairs("nickname")) FROM "users";
ANALYZE "users";
