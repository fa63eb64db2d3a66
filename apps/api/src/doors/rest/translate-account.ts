import type { MeChanges, MessagePermissions } from '@meridian/contracts'
import type { ProfileChanges } from '../../users/change-profile.ts'
import type { MessagePermission } from '../../users/message-permissions.ts'

/** What a person changes, in our own words: empty is none. */
export const toProfileChanges = ({ nickname, avatar_url: avatarUrl }: MeChanges): ProfileChanges => ({
  ...(nickname !== undefined && { nickname: nickname || null }),
  ...(avatarUrl !== undefined && { avatarUrl: avatarUrl || null }),
})

/** Permissions in the words of the contract. */
export const toMessagePermissions = (permissions: MessagePermission[]): MessagePermissions => ({
  items: permissions.map(({ template, templateId, remaining }) => ({
    template,
    template_id: templateId,
    remaining,
  })),
})
