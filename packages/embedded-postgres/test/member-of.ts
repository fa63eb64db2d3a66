/** The role that the programs' user belongs to in these tests; its rights are nobody's business here. */
export const memberOf = 'tested_runtime'
