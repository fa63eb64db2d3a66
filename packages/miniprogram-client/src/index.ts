export type {} from '@meridian/contracts'
