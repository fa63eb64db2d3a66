type Kind<Failure> = abstract new (...args: never[]) => Failure

/** How work failed; throws where it did not, or failed in another way. */
export async function failureOf<Failure extends Error>(
  kind: Kind<Failure>,
  work: Promise<unknown>,
): Promise<Failure> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof kind)) throw new Error(`no ${kind.name}`, { cause: failure })
  return failure
}
