// Inside io: initialisers of the scenario's own fields, whose keys are not always their members' names.

#ifndef DEEPSIM_SRC_SCENARIO_FIELDS_H
#define DEEPSIM_SRC_SCENARIO_FIELDS_H

#include "io/scenario_tables.h"

#define F64_AT( key_, struct_, member, count_, unit_, initial_, minimum_, maximum_, doc_ )                             \
	{                                                                                                                  \
		key_, DS_FIELD_F64, 0, offsetof( struct_, member ), count_, 0, unit_, initial_, minimum_, maximum_, doc_,      \
			NULL, NULL, 0, DS_ELEMENT_NONE                                                                             \
	}
#define F64_FLAGS( key_, flags_, struct_, member, count_, unit_, initial_, minimum_, maximum_, doc_ )                  \
	{                                                                                                                  \
		key_, DS_FIELD_F64, flags_, offsetof( struct_, member ), count_, 0, unit_, initial_, minimum_, maximum_, doc_, \
			NULL, NULL, 0, DS_ELEMENT_NONE                                                                             \
	}
#define BOOL_AT( key_, struct_, member, initial_, doc_ )                                                               \
	{                                                                                                                  \
		key_, DS_FIELD_BOOL, 0, offsetof( struct_, member ), 1, 0, "", initial_, 0, 0, doc_, NULL, NULL, 0,            \
			DS_ELEMENT_NONE                                                                                            \
	}
#define NAME_AT( key_, flags_, struct_, member, initial_, doc_ )                                                       \
	{                                                                                                                  \
		key_, DS_FIELD_STRING, flags_, offsetof( struct_, member ), 1, sizeof( ( (struct_ *)0 )->member ), "",         \
			initial_, 0, 0, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                       \
	}
#define CHOICE_AT( key_, type_, flags_, struct_, member, choices_, initial_, doc_ )                                    \
	{                                                                                                                  \
		key_, type_, flags_, offsetof( struct_, member ), 1, 0, "", initial_, 0, 0, doc_, NULL, choices_,              \
			DS_COUNT( choices_ ), DS_ELEMENT_NONE                                                                      \
	}
#define VARIANT_AT( key_, struct_, member, choices_, initial_, doc_ )                                                  \
	CHOICE_AT( key_, DS_FIELD_VARIANT, 0, struct_, member, choices_, initial_, doc_ )
#define STRUCT_AT( key_, flags_, offset_, table_, doc_ )                                                               \
	{                                                                                                                  \
		key_, DS_FIELD_STRUCT, flags_, offset_, 1, 0, "", "{}", 0, 0, doc_, table_, NULL, 0, DS_ELEMENT_NONE           \
	}
#define RAW_AT( key_, struct_, member, initial_, doc_ )                                                                \
	{                                                                                                                  \
		key_, DS_FIELD_RAW, 0, offsetof( struct_, member ), 1, 0, "", initial_, 0, 0, doc_, NULL, NULL, 0,             \
			DS_ELEMENT_NONE                                                                                            \
	}
#define ARRAY_AT( key_, struct_, member, element_struct_, table_, doc_ )                                               \
	{                                                                                                                  \
		key_, DS_FIELD_ARRAY, 0, offsetof( struct_, member ), 1, sizeof( element_struct_ ), "", "[]", 0, 0, doc_,      \
			table_, NULL, 0, DS_ELEMENT_NONE                                                                           \
	}
#define TABLE_OF( name_, doc_, struct_, fields_, check_ )                                                              \
	{                                                                                                                  \
		name_, doc_, sizeof( struct_ ), fields_, DS_COUNT( fields_ ), check_, NULL, 0                                  \
	}

#endif
