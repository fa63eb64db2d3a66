import { type PlatformState, randomText, type Task } from './platform-state.ts'

/** What a timer of Node can wait; longer ones would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Does it when its time has come, or when the clock is moved past it; also after a restart. Answers its id. */
export function planFor(state: PlatformState, task: Task, inMs: number): string {
  const id = randomText(8)
  const dueAt = new Date(state.now().getTime() + inMs)
  state.store.keep({ kind: 'planned', key: id, value: { task, dueAt } })
  setPlanned(state, id, { task, dueAt })
  return id
}

/** The same for what was planned before. */
export function setPlanned(
  state: PlatformState,
  id: string,
  { task, dueAt }: { task: Task; dueAt: Date },
): void {
  const inMs = Math.min(longestTimerMs, Math.max(0, dueAt.getTime() - state.now().getTime()))
  const timer = setTimeout(() => void perform(state, id), inMs)
  timer.unref()
  state.planned.set(id, { task, dueAt, timer })
}

/** Takes a task off the plan: false where somebody was faster. */
export function takePlanned(state: PlatformState, id: string): boolean {
  const planned = state.planned.get(id)
  if (!planned) return false
  clearTimeout(planned.timer)
  state.planned.delete(id)
  return true
}

/** A task is off the plan for good once it is done; a program that dies before does it again. */
async function perform(state: PlatformState, id: string): Promise<void> {
  const task = state.planned.get(id)?.task
  if (!task || !takePlanned(state, id)) return
  const depart = state.held.get(id)
  state.held.delete(id)
  await (depart ? depart() : state.perform(task))
  state.store.keep({ kind: 'planned', key: id, value: null })
}

/** Does it now; where the program dies before it is done, it is done after the restart. */
export async function insured<Result>(
  state: PlatformState,
  task: Task,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = randomText(8)
  state.store.keep({ kind: 'planned', key, value: { task, dueAt: state.now() } })
  const result = await work()
  state.store.keep({ kind: 'planned', key, value: null })
  return result
}

/** Does what fell due while the clock was moved, in its order. */
export async function catchUp(state: PlatformState): Promise<void> {
  const due = [...state.planned].filter(([, { dueAt }]) => dueAt <= state.now())
  due.sort(([, one], [, other]) => one.dueAt.getTime() - other.dueAt.getTime())
  for (const [id] of due) await perform(state, id)
}

export function stopSchedule(state: PlatformState): void {
  for (const { timer } of state.planned.values()) clearTimeout(timer)
  state.planned.clear()
  state.held.clear()
}
