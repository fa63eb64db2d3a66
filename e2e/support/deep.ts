/** Whether this is the deep run, with the full figures. */
export const deep = process.env['MERIDIAN_DEEP'] === '1'
