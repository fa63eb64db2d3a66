export { createClient, isProblem, onWx, type Plan } from '@meridian/miniprogram-client'
