/** Whether time is no matter. */
export const deep = process.env['MERIDIAN_DEEP'] === '1'
