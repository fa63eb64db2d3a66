/** The English of the name a plan was sold under, where a plan has that name still; null where none has, or no English. */
export const englishOf = (
  soldAs: string,
  plans: readonly { name: string; nameEn: string | null }[],
): string | null => plans.find(({ name }) => name === soldAs)?.nameEn ?? null
