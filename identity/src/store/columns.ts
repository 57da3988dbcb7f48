import type { ColumnType } from 'kysely';

// Column types that all tables share.

export type Moment = ColumnType<Date, Date, Date>;
export type OptionalMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
