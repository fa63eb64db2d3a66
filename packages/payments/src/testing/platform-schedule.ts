import { type PlatformState, randomText, type Task } from './platform-state.ts'

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Runs a task after a delay by the platform's clock, also across a restart. Returns the id of the task. */
export function scheduleTask(state: PlatformState, task: Task, inMs: number): string {
  const id = randomText(8)
  const dueAt = new Date(state.now().getTime() + inMs)
  state.store.save({ kind: 'task', key: id, value: { task, dueAt } })
  armTask(state, id, { task, dueAt })
  return id
}

/** Sets the timer of a stored task, in place of one that was set by an earlier reading of the clock. */
export function armTask(
  state: PlatformState,
  id: string,
  { task, dueAt }: { task: Task; dueAt: Date },
): void {
  clearTimeout(state.scheduled.get(id)?.timer)
  const inMs = Math.min(longestTimerMs, Math.max(0, dueAt.getTime() - state.now().getTime()))
  const timer = setTimeout(() => void runTask(state, id), inMs)
  timer.unref()
  state.scheduled.set(id, { task, dueAt, timer })
}

/** Takes a task off the schedule; false where it has run or was cancelled already. */
export function cancelTask(state: PlatformState, id: string): boolean {
  const scheduled = state.scheduled.get(id)
  if (!scheduled) return false
  clearTimeout(scheduled.timer)
  state.scheduled.delete(id)
  return true
}

/** Its record is deleted after it has run: where the program dies before, it runs again. */
async function runTask(state: PlatformState, id: string): Promise<void> {
  const task = state.scheduled.get(id)?.task
  if (!task || !cancelTask(state, id)) return
  const depart = state.held.get(id)
  state.held.delete(id)
  await (depart ? depart() : state.perform(task))
  state.store.save({ kind: 'task', key: id, value: null })
}

/** Runs a task now; where the program dies before it is done, it runs after the restart. */
export async function runRecoverably<Result>(
  state: PlatformState,
  task: Task,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = randomText(8)
  state.store.save({ kind: 'task', key, value: { task, dueAt: state.now() } })
  const result = await work()
  state.store.save({ kind: 'task', key, value: null })
  return result
}

/** After a move of the clock: runs what is due, in the order of its time, and sets the timers of the rest anew. */
export async function runDueTasks(state: PlatformState): Promise<void> {
  const tasks = [...state.scheduled].sort(([, one], [, other]) => one.dueAt.getTime() - other.dueAt.getTime())
  for (const [id, scheduled] of tasks) if (scheduled.dueAt > state.now()) armTask(state, id, scheduled)
  for (const [id, { dueAt }] of tasks) if (dueAt <= state.now()) await runTask(state, id)
}

export function stopSchedule(state: PlatformState): void {
  for (const { timer } of state.scheduled.values()) clearTimeout(timer)
  state.scheduled.clear()
  state.held.clear()
}
