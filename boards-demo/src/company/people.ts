/** Somebody as the company's directory has them. */
export type Employee = {
  /** Unique and lasting: what the company's provider calls them. */
  sub: string;
  email: string;
  /** Whether the company has made sure that the address is theirs. */
  emailVerified: boolean;
  firstName: string;
  lastName: string;
};

/** The password of everybody here, as of everybody in the demonstration. */
export const companyPassword = 'quiet harbor morning 74';

/** One for each thing that can become of a sign-in over a company. */
export const employees: readonly Employee[] = [
  // known at the boards
  {
    sub: 'corp-1001',
    email: 'employee@corp.example',
    emailVerified: true,
    firstName: 'Elias',
    lastName: 'Marchetti',
  },
  // becomes known there at the first arrival
  {
    sub: 'corp-1002',
    email: 'trainee@corp.example',
    emailVerified: true,
    firstName: 'Tamsin',
    lastName: 'Adeyemi',
  },
  // of another firm, whose addresses this company cannot vouch for
  {
    sub: 'corp-1003',
    email: 'contractor@partner.example',
    emailVerified: true,
    firstName: 'Cosmo',
    lastName: 'Lindahl',
  },
  // nobody has made sure yet
  {
    sub: 'corp-1004',
    email: 'applicant@corp.example',
    emailVerified: false,
    firstName: 'Ayla',
    lastName: 'Brandt',
  },
];

export function findEmployee(email: string, password: string): Employee | undefined {
  const employee = employees.find((one) => one.email === email.trim().toLowerCase());
  return password === companyPassword ? employee : undefined;
}
