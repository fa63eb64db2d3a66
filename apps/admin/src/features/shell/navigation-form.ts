export const navigationForms = ['words', 'icons'] as const
/** How the side navigation stands in wide windows: with its words, or folded to icons. */
export type NavigationForm = (typeof navigationForms)[number]

export const NAVIGATION_COOKIE = 'meridian.navigation'

export const readNavigationForm = (text: string | undefined): NavigationForm =>
  navigationForms.find((form) => form === text) ?? 'words'
