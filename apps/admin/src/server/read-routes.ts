import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const Route = z.object({ regex: z.string(), page: z.string() })
const Manifest = z.object({ staticRoutes: z.array(Route), dynamicRoutes: z.array(Route) })

/** Finds the page or route that a path leads to, by its name, such as `/orders/[outTradeNo]`; null where it leads nowhere. */
export type RouteOf = (pathname: string) => string | null

/** The pages and routes as Next wrote them down when it built them. */
export function readRoutes(folder: string): RouteOf {
  const text = readFileSync(path.join(folder, '.next/routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes } = Manifest.parse(JSON.parse(text))
  const routes = [...staticRoutes, ...dynamicRoutes].map(({ regex, page }) => ({
    form: new RegExp(regex),
    page,
  }))
  return (pathname) => routes.find(({ form }) => form.test(pathname))?.page ?? null
}
