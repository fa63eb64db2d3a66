'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { DetailSkeleton } from '../../ui/detail-page.tsx'
import { OpenInPlace } from '../../ui/open-in-place.ts'
import { useIdle } from '../../ui/use-idle.ts'

type LoadedPart<Props> = {
  load: () => Promise<unknown>
  isLoaded: () => boolean
  /** The part itself where it is there already, else what waits for it. */
  current: () => ComponentType<Props>
}

/** A part of the console that is loaded once something else is shown. */
export function loadedLater<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
): LoadedPart<Props> {
  let loaded: ComponentType<Props> | null = null
  const load = async () => {
    loaded ??= await read()
    return { default: loaded }
  }
  const Waiting = lazy(load)
  return { load, isLoaded: () => loaded !== null, current: () => loaded ?? Waiting }
}

/** The page of one thing of a list, as the list itself shows it. */
export type Details<Named extends object> = {
  /** What an address of such a page names; null for any other address. */
  named: (pathname: string) => Named | null
  page: LoadedPart<Named>
  useTitle: (named: Named) => string
  useRead: () => {
    /** Asks for what the page of something shows. */
    read: (named: Named) => void
    /** The same before it is pressed, which must leave no trace. */
    readAhead: (named: Named) => void
  }
}

type OpenedProps<Named extends object> = { details: Details<Named>; named: Named; onShown: () => void }

function Opened<Named extends object>({ details, named, onShown }: OpenedProps<Named>) {
  const [Page] = useState(details.page.current)
  const page = details.useTitle(named)
  const title = useTranslations('shell')('titleTemplate', { page })
  useLayoutEffect(onShown, [onShown])
  return (
    <>
      <title>{title}</title>
      <Suspense fallback={<DetailSkeleton />}>
        <Page {...named} />
      </Suspense>
    </>
  )
}

type Props<Named extends object> = { details: Details<Named>; children: ReactNode }

/**
 * A list whose rows open where it stands, as soon as they are pressed: the address goes ahead of the page that the
 * server sent, which would else be asked for another one first. Loaded from that address the same page comes from the
 * server, and Next keeps the way back.
 */
export function OpensDetails<Named extends object>({ details, children }: Props<Named>) {
  const named = details.named(usePathname())
  const { read, readAhead } = details.useRead()
  const pressed = useRef(false)
  const inPlace = useMemo(() => {
    const namedBy = (href: string) => (details.page.isLoaded() ? details.named(href) : null)
    return {
      open(href: string) {
        const wanted = namedBy(href)
        if (wanted === null) return false
        read(wanted)
        pressed.current = true
        history.pushState(null, '', href)
        return true
      },
      approach(href: string) {
        const wanted = namedBy(href)
        if (wanted !== null) readAhead(wanted)
        return wanted !== null
      },
    }
  }, [details, read, readAhead])
  useIdle(details.page.load)
  // Whoever comes back to it finds the place where they were.
  const onShown = useCallback(() => {
    if (pressed.current) scrollTo({ top: 0 })
    pressed.current = false
  }, [])
  if (named === null) return <OpenInPlace value={inPlace}>{children}</OpenInPlace>
  return <Opened key={JSON.stringify(named)} details={details} named={named} onShown={onShown} />
}
