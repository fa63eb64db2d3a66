const KEY = 'meridian.files'
const MOST_WATCHED = 10

/** Storage may be refused, or full: then nobody is told of a file, and it still stands among the exports. */
function withStorage<Answer>(act: (storage: Storage) => Answer, otherwise: Answer): Answer {
  try {
    return act(localStorage)
  } catch {
    return otherwise
  }
}

function watchedIn(storage: Storage): string[] {
  const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
  return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []
}

/** Has this browser tell when these files are ready, in whichever window that is seen first. */
export const watchFiles = (ids: readonly string[]): void =>
  withStorage((storage) => {
    const watched = watchedIn(storage)
    if (ids.every((id) => watched.includes(id))) return
    const all = [...new Set([...watched, ...ids])]
    storage.setItem(KEY, JSON.stringify(all.slice(-MOST_WATCHED)))
  }, undefined)

/** Which of these were watched; they are not any more, so that each is told of once. */
export const takeWatched = (ids: readonly string[]): string[] =>
  withStorage((storage) => {
    const watched = watchedIn(storage)
    const taken = ids.filter((id) => watched.includes(id))
    if (taken.length > 0) storage.setItem(KEY, JSON.stringify(watched.filter((id) => !taken.includes(id))))
    return taken
  }, [])
