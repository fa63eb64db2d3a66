import { MOST_TAGS_IN_USE, MOST_TAGS_OF_SUBJECT, type Words } from '@meridian/contracts'
import { checkViolation, uniqueViolation } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

export const refusal = (path: string, message: Words): DomainError =>
  new DomainError('invalid_request', { errors: [{ path, message }] })

export const labelTaken = (): DomainError =>
  refusal('label', { zh: '已有同名标签', en: 'there is a tag with this name already' })

/** What is told of each rule that the database holds, by the name it holds it under. */
const told: Readonly<Record<string, () => DomainError>> = {
  tags_one_in_use_per_label: labelTaken,
  tags_in_use_limited: () =>
    refusal('label', {
      zh: `已有 ${MOST_TAGS_IN_USE} 个标签，请先归档或合并`,
      en: `there are ${MOST_TAGS_IN_USE} tags already: archive or merge some first`,
    }),
  taggings_of_subject_limited: () =>
    refusal('tag', {
      zh: `最多设置 ${MOST_TAGS_OF_SUBJECT} 个标签`,
      en: `at most ${MOST_TAGS_OF_SUBJECT} tags`,
    }),
}

/**
 * Runs a write of tags and says in words what the database refuses.
 * @throws DomainError invalid_request for a label that is taken or one tag too many
 */
export async function withinTagLimits<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const refused = told[uniqueViolation(error) ?? checkViolation(error) ?? '']
    throw refused ? refused() : error
  }
}
