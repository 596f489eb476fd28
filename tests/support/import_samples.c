/* SPDX-License-Identifier: MIT */
#include "tests/support/import_samples.h"

#include <stdint.h>

static const char iolog_2[] = "fio version 2 iolog\n"
			      "/d/shard0.zst add\n"
			      "/d/shard0.zst open\n"
			      "/d/shard0.zst read 65536 131072\n"
			      "/d/shard0.zst wait 1500\n"
			      "/d/shard0.zst write 0 4096\n"
			      "/d/shard0.zst close\n";

static const char iolog_3[] = "fio version 3 iolog\n"
			      "16 /d/shard0.zst add\n"
			      "134 /d/shard0.zst open\n"
			      "576 /d/shard0.zst read 0 65536\n"
			      "15837 /d/shard0.zst read 720896 65536\n"
			      "15999 /d/shard0.zst close\n";

static const char latency[] = "0, 81959, 0, 65536, 0, 0\n"
			      "15, 35027, 0, 65536, 720896, 0\n"
			      "31, 30011, 1, 65536, 851968, 0\n";

static const char blkparse[] =
	"  8,0    3       11     0.009507758   697  Q   R 223490 + 56 "
	"[python]\n"
	"  8,0    3       12     0.009508000   697  G   R 223490 + 56 "
	"[python]\n"
	"  8,0    3       13     0.009509000   697  P   N [python]\n"
	"  8,0    3       14     0.009511000   697  D   R 223490 + 56 "
	"[python]\n"
	"  8,0    1       20     0.010112345     0  C   R 223490 + 56 [0]\n"
	"  8,16   1       21     0.020000000   697  D  WS 8 + 8 [python]\n"
	"  8,16   1       22     0.020500000     0  C  WS 8 + 8 [5]\n"
	"CPU3 (8,0):\n"
	" Reads Queued:           1,       28KiB\t Writes Queued:          0\n"
	"Total (8,0):\n"
	"Throughput (R/W): 2KiB/s / 0KiB/s\n"
	"Events (8,0): 5 entries\n"
	"Skips: 0 forward (0 -   0.0%)\n";

#define LITTLE16(x) (char)((x)&0xff), (char)((x) >> 8 & 0xff)
#define LITTLE32(x) LITTLE16(x), LITTLE16((x) >> 16)
#define LITTLE64(x) LITTLE32((uint64_t)(x)), LITTLE32((uint64_t)(x) >> 32)
#define BLOCK_RECORD(time, sector, bytes, action, error, more)                 \
	LITTLE32(0x65617407), LITTLE32(1), LITTLE64(time), LITTLE64(sector),   \
		LITTLE32(bytes), LITTLE32(action), LITTLE32(697),              \
		LITTLE32(0x800000), LITTLE32(0), LITTLE16(error),              \
		LITTLE16(more)

/* The kinds: read 1, write 2, queue 0x10, issue 0x40, complete 0x80, notify
 * 0x400, each 16 bits up. */
static const char blktrace[] = {
	BLOCK_RECORD(5009000000, 0, 0, 0x04000000, 0, 3),
	'a',
	'b',
	'c',
	BLOCK_RECORD(5009507758, 223490, 28672, 0x00110001, 0, 0),
	BLOCK_RECORD(5009511000, 223490, 28672, 0x00410007, 0, 0),
	BLOCK_RECORD(5010112345, 223490, 28672, 0x00810008, 0, 0),
	BLOCK_RECORD(5020000000, 8, 4096, 0x00420007, 0, 0),
	BLOCK_RECORD(5020500000, 8, 4096, 0x00820008, 5, 0),
};

static const char strace[] =
	"strace: Process 102 attached\n"
	"[pid   101] 1796049360.238000 openat(AT_FDCWD</d>, \"a.bin\", "
	"O_RDONLY) = 3</d/a.bin> <0.000010>\n"
	"[pid   101] 1796049360.238438 read(3</d/a.bin>, \"\\275g) = 7, \\\"\""
	"..., 4096) = 4096 <0.000252>\n"
	"[pid   101] 1796049360.238900 read(3</d/a.bin>,  <unfinished ...>\n"
	"[pid   102] 1796049360.239547 pread64(4</d/b.bin>, \"x\"..., 8192, "
	"1000000) = 8192 <0.000226>\n"
	"[pid   101] 1796049360.239600 <... read resumed>\"y\"..., 4096) = "
	"1000 "
	"<0.000700>\n"
	"[pid   101] 1796049360.240000 write(1</dev/pts/0<char 136:0>>, "
	"\"hello\", 5) = 5 <0.000010>\n"
	"[pid   101] 1796049360.240100 close(3</d/a.bin>) = 0 <0.000004>\n"
	"[pid   102] 1796049360.240200 +++ exited with 0 +++\n";

static const char darshan[] =
	"# darshan log version: 3.41\n"
	"\n"
	"# DXT, file_id: 123, file_name: /d/train_00.npz\n"
	"# DXT, rank: 0, hostname: node1\n"
	"# DXT, write_count: 1, read_count: 2\n"
	"# Module    Rank  Wt/Rd  Segment          Offset       Length    "
	"Start(s)      End(s)  [OST]\n"
	" X_POSIX       0  write        0               0         4096      "
	"0.2000      0.2500\n"
	" X_POSIX       0   read        0               0         1048576      "
	"0.1021      0.1043   [2]\n"
	" X_POSIX       0   read        1         1048576         1048576      "
	"0.1051      0.1062   N/A\n"
	" X_MPIIO       0   read        1         1048576         1048576      "
	"0.1050      0.1063\n";

static const char dftracer[] =
	"[\n"
	"{\"id\":1,\"name\":\"FH\",\"cat\":\"dftracer\",\"pid\":9,\"tid\":9,"
	"\"ph\":\"M\",\"args\":{\"hhash\":7,\"name\":\"/d/img_0.npz\","
	"\"value\":4242}}\n"
	"{\"id\":2,\"name\":\"pread\",\"cat\":\"POSIX\",\"pid\":9,\"tid\":9,"
	"\"ts\":1727286231145121,\"dur\":310,\"ph\":\"X\",\"args\":{\"hhash\":"
	"7,"
	"\"fhash\":4242,\"fd\":5,\"count\":65536,\"offset\":0,\"ret\":65536}}\n"
	"{\"id\":3,\"name\":\"train.compute\",\"cat\":\"DLIO\",\"pid\":9,"
	"\"tid\":9,\"ts\":1727286231146000,\"dur\":50000,\"ph\":\"X\","
	"\"args\":{\"hhash\":7}}\n";

static const char pytorch[] =
	"{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": "
	"\"a [GPU]\"}],\n"
	"\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
	"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#12\""
	",\"pid\":1,\"tid\":1,\"ts\":1000.125,\"dur\":52000.5,\"args\":{}},\n"
	"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":"
	"\"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__\","
	"\"pid\":1,\"tid\":1,\"ts\":1001.0,\"dur\":9000.2,\"args\":{}},\n"
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":"
	"7,"
	"\"ts\":10200.0,\"dur\":41000.0,\"args\":{\"stream\":7}}\n"
	"], \"traceName\": \"t.json\"}\n";

static const char msr[] =
	"128166372003061629,src1,2,Read,7014609920,24576,41286\n"
	"128166372016382155,src1,2,Write,1317441536,8192,1963\n"
	"128166372026382245,src1,3,Read,2436440064,4096,1835\n";

#define ORACLE_RECORD(time, object, size, next)                                \
	LITTLE32(time), LITTLE64(object), LITTLE32(size), LITTLE64(next)

static const char oracle[] = {
	ORACLE_RECORD(5633898, 42932745LL, 512, 2LL),
	ORACLE_RECORD(5633898, 42932746LL, 512, -1LL),
	ORACLE_RECORD(5633900, 42932745LL, 4096, 3LL),
	ORACLE_RECORD(5633900, 42932745LL, 4096, INT64_MAX),
};

#define ORACLE_OPERATION(time, object, size, operation, next)                  \
	LITTLE32(time), LITTLE64(object), LITTLE32(size), operation, 7, 0,     \
		LITTLE64(next)

/* A get, a set, a deletion of no size, a read, and one that nobody noted. */
static const char oracle_operations[] = {
	ORACLE_OPERATION(5633898, 42932745LL, 512, 1, 2LL),
	ORACLE_OPERATION(5633898, 42932746LL, 700, 3, -1LL),
	ORACLE_OPERATION(5633899, 42932747LL, 0, 9, -1LL),
	ORACLE_OPERATION(5633900, 42932745LL, 4096, 12, 4LL),
	ORACLE_OPERATION(5633900, 42932745LL, 4096, 0, INT64_MAX),
};

static const char alibaba[] = "0,R,126703644672,4096,1577808000000626\n"
			      "5,W,19546832896,8192,1577808000000809\n"
			      "0,R,126703648768,4096,1577808000001626\n";

#define TEXT(importer, text, events)                                           \
	{                                                                      \
		importer, text, sizeof(text) - 1, events                       \
	}
#define BYTES(importer, bytes, events)                                         \
	{                                                                      \
		importer, bytes, sizeof(bytes), events                         \
	}

const struct import_sample import_samples[] = {
	TEXT("fio-iolog", iolog_2, 2),
	TEXT("fio-iolog", iolog_3, 2),
	TEXT("fio-latency", latency, 3),
	TEXT("blkparse", blkparse, 2),
	BYTES("blktrace", blktrace, 2),
	TEXT("strace", strace, 3),
	TEXT("darshan", darshan, 3),
	TEXT("dftracer", dftracer, 2),
	TEXT("pytorch", pytorch, 2),
	TEXT("msr", msr, 3),
	BYTES("oracle", oracle, 4),
	TEXT("alibaba", alibaba, 3),
	BYTES("oracle-op", oracle_operations, 4),
};

const size_t import_sample_count =
	sizeof(import_samples) / sizeof(import_samples[0]);
