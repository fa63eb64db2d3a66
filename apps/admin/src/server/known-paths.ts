import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const Route = z.object({ regex: z.string() })
const Manifest = z.object({ staticRoutes: z.array(Route), dynamicRoutes: z.array(Route) })

export type IsKnown = (pathname: string) => boolean

/** What Next asks its own pages for beside themselves. */
const ofNext = /^\/_next\/|\.rsc$/

/** Which paths lead to a page or a route, as Next wrote it down when it built them. */
export function readKnownPaths(folder: string): IsKnown {
  const text = readFileSync(path.join(folder, '.next/routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes } = Manifest.parse(JSON.parse(text))
  const forms = [...staticRoutes, ...dynamicRoutes].map(({ regex }) => new RegExp(regex))
  return (pathname) => ofNext.test(pathname) || forms.some((form) => form.test(pathname))
}
