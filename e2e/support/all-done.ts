/** Like Promise.all, but a failure waits for the others: what they have begun can then be taken down. */
export async function allDone<Tasks extends readonly Promise<unknown>[] | []>(tasks: Tasks) {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}
