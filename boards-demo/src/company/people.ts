/** An entry of the company's directory. */
export type Employee = {
  /** The unique, permanent subject at the company's provider. */
  sub: string;
  email: string;
  /** Whether the company has verified the e-mail address. */
  emailVerified: boolean;
  firstName: string;
  lastName: string;
};

/** The password of all employees, the same as of all other demo users. */
export const companyPassword = 'quiet harbor morning 74';

/** The employees, one for each possible result of a company sign-on. */
export const employees: readonly Employee[] = [
  // Has an account at the boards.
  {
    sub: 'corp-1001',
    email: 'employee@corp.example',
    emailVerified: true,
    firstName: 'Elias',
    lastName: 'Marchetti',
  },
  // Gets an account at the first sign-in.
  {
    sub: 'corp-1002',
    email: 'trainee@corp.example',
    emailVerified: true,
    firstName: 'Tamsin',
    lastName: 'Adeyemi',
  },
  // Has an e-mail domain that this company is not authoritative for.
  {
    sub: 'corp-1003',
    email: 'contractor@partner.example',
    emailVerified: true,
    firstName: 'Cosmo',
    lastName: 'Lindahl',
  },
  // Has an unverified e-mail address.
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
