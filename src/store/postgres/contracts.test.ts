import { storeContracts } from "../contracts/all.suite.js";
import { testDatabase } from "./database.suite.js";

const { context } = await testDatabase();

storeContracts("PostgreSQL", () => context());
